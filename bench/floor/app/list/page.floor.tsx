import { dehydrate, QueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { findRows } from '../../rows.ts';
import { List } from './list.tsx';

export const dynamic = 'force-dynamic';

export default function Page(): ReactNode {
  const first = { offset: 0, sort: '', text: '' } as const;
  const client = new QueryClient();
  client.setQueryData(['rows', first], findRows(first));
  return <List state={dehydrate(client)} />;
}
