'use client';

import { useEffect } from 'react';

/**
 * Lets the browser store the offline page (public/service-worker.js), which contains nothing
 * private.
 */
export function OfflinePage(): null {
  useEffect(() => {
    if (process.env.NODE_ENV === 'production')
      // A browser that forbids service workers shows its own page when it is offline.
      navigator.serviceWorker?.register('/service-worker.js').catch(() => undefined);
  }, []);
  return null;
}
