// What the transfer of all kinds of streams has in common. There is one realm, so that the
// streams of a transfer need no port between them: the new one takes from the old one, or
// gives to it, with each chunk cloned.
const { isObject, newDOMException, use } = internals;

// Whether a value is an object that this getter takes.
export const brand = (accessor) => (value) => {
  if (!isObject(value)) return false;
  try {
    accessor(value);
    return true;
  } catch {
    return false;
  }
};

export const refuseLocked = () => {
  throw newDOMException('A locked stream cannot be transferred.', 'DataCloneError');
};

export const cloneOf = (chunk) => use('clone').clone(chunk, []).value;
