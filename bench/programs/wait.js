async () => await store.call(0)
