// What all streams have in common.
export * from 'web-streams-polyfill/shared';
