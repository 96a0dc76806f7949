() => typeof EventTarget
