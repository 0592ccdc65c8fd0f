'use client';

import { useLayoutEffect } from 'react';

/** Hides the frame that stands around the sign-in when a session ended during navigation. */
export function WholeWindow(): null {
  useLayoutEffect(() => {
    const frame = document.querySelector('.frame');
    frame?.setAttribute('data-bare', '');
    return () => frame?.removeAttribute('data-bare');
  }, []);
  return null;
}
