// Math.random(). The engine seeds its own from a state that all programs of a zygote
// have in common; this is the generator sfc32, seeded by the kernel on first use in
// each program: in the snapshot it has no seed.
'use strict';

{
  const { native } = this;
  let a = 0;
  let b = 0;
  let c = 0;
  let counter = 0;

  const next32 = () => {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + sum;
    c |= 0;
    return sum >>> 0;
  };

  const random = {
    random() {
      if (counter === 0) {
        a = native.seed();
        b = native.seed();
        c = native.seed();
        counter = 1;
        for (let i = 0; i < 12; i++) next32();
      }
      return ((next32() >>> 5) * 67108864 + (next32() >>> 6)) / 9007199254740992;
    },
  };

  Math.random = random.random;
}
