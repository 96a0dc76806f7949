() => typeof AbortSignal
