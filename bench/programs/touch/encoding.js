() => typeof TextDecoder
