// caches, which keep nothing: nothing outlives a run.
'use strict';

{
  const { texts, defineProperty } = this;
  const ErrorOf = Error;

  const absence = async () => {
    throw new ErrorOf(texts.CACHES);
  };
  const caches = {
    __proto__: {
      match: (request) => absence(request),
      has: (name) => absence(name),
      open: (name) => absence(name),
      delete: (name) => absence(name),
      keys: () => absence(),
    },
  };
  defineProperty(Object.getPrototypeOf(caches), Symbol.toStringTag, { __proto__: null, value: 'CacheStorage', configurable: true });
  globalThis.caches = caches;
}
