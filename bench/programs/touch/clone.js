() => typeof structuredClone
