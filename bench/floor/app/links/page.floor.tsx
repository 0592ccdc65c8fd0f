import Link from 'next/link';
import type { ReactNode } from 'react';

export default function Page(): ReactNode {
  return (
    <nav>
      <h1 className="text-2xl">Links</h1>
      <Link href="/list">List</Link>
    </nav>
  );
}
