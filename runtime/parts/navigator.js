// navigator.
'use strict';

{
  const { texts, create } = this;

  class Navigator {
    get userAgent() {
      return texts.USER_AGENT;
    }
  }
  globalThis.navigator = create(Navigator.prototype);
}
