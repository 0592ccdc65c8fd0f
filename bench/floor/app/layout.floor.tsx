import './globals.css';
import type { ReactNode } from 'react';

export const metadata = { title: 'floor' };

export default function Layout({ children }: { children: ReactNode }): ReactNode {
  return (
    <html lang="en">
      <body className="m-4 font-sans">{children}</body>
    </html>
  );
}
