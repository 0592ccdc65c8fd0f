import type { ReactNode } from 'react';
import { ListLoading } from '#components/list-loading.tsx';

export default function Loading(): ReactNode {
  return <ListLoading />;
}
