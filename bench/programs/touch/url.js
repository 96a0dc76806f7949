() => typeof URL
