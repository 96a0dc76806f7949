// ByteLengthQueuingStrategy and CountQueuingStrategy.
import { ByteLengthQueuingStrategy, CountQueuingStrategy } from 'web-streams-polyfill/strategies';

export * from 'web-streams-polyfill/strategies';

internals.registerInterface(ByteLengthQueuingStrategy);
internals.registerInterface(CountQueuingStrategy);
