import { Suspense } from 'react';
import type { ReactNode } from 'react';
import type { KnownView } from '#lib/wallets/view.ts';

type Props<T> = {
  /** What is known already. */
  known: KnownView<T>;
  /** Asks the provider; what it answers takes the place of what is known. */
  ask: () => Promise<KnownView<T>>;
  /** `isAsking`: the answer is still awaited. Both drawings have to be equally high. */
  render: (view: KnownView<T>, isAsking: boolean) => ReactNode;
  /** Stands there while nothing is known. */
  loading: ReactNode;
};

/** Draws the last known figures with the page, and the provider's answer when it arrives. */
export function KnownFirst<T>({ known, ask, render, loading }: Props<T>): ReactNode {
  return (
    <Suspense fallback={known.value === null ? loading : render(known, true)}>
      <Answered ask={ask} render={render} />
    </Suspense>
  );
}

async function Answered<T>({ ask, render }: Pick<Props<T>, 'ask' | 'render'>): Promise<ReactNode> {
  return render(await ask(), false);
}
