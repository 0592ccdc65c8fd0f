'use client';

import { useEffect } from 'react';

/** Lets the browser keep the offline page (public/service-worker.js), which holds nothing private. */
export function OfflinePage(): null {
  useEffect(() => {
    if (process.env.NODE_ENV === 'production')
      // A browser that forbids it shows its own page instead.
      navigator.serviceWorker?.register('/service-worker.js').catch(() => undefined);
  }, []);
  return null;
}
