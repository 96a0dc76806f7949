() => typeof globalThis
