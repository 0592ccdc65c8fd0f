import type * as React from 'react';
import { beforeEach, expect, it, vi } from 'vitest';
import { hooks, runEffects } from '#lib/testing/held-hooks.ts';
import { Dialog } from './dialog.tsx';

/** When Esc closes a dialog. */

// The tests run without a page: the component is called as a function.
vi.mock('react', async (original) => ({
  ...(await original<typeof React>()),
  ...(await import('#lib/testing/held-hooks.ts')).heldHooks,
}));

type Shown = React.ReactElement<{
  ref: { current: unknown };
  onCancel: (event: { currentTarget: unknown; preventDefault: () => void }) => void;
}>;

let fields: { type: string; value: string }[];
beforeEach(() => {
  hooks.held = [];
  fields = [
    { type: 'text', value: 'Ayşe' },
    { type: 'textarea', value: '' },
    { type: 'date', value: '' },
  ];
});

it('Esc closes a dialog whose fields are as they were when it opened, also with text in them', () => {
  const escape = opened();
  expect(escape()).toBe('closes');
  fields[0]!.value = 'Ayşe K.';
  expect(escape(), 'typed into the filled field').toBe('stays');
  fields[0]!.value = 'Ayşe';
  expect(escape(), 'typed and taken back').toBe('closes');
  fields[1]!.value = 'A reason.';
  expect(escape(), 'typed into the empty field').toBe('stays');
});

it('Esc does not close a dialog with text in a field that came later', () => {
  const escape = opened();
  fields.push({ type: 'text', value: '123456' });
  expect(escape()).toBe('stays');
});

it('a calendar that was looked at keeps no dialog open', () => {
  const escape = opened();
  fields[2]!.value = '2026-03-02';
  expect(escape()).toBe('closes');
});

/** Opens a dialog; the result presses Esc in it. */
function opened(): () => 'closes' | 'stays' {
  hooks.next = 0;
  const given = { open: true, onClose: () => undefined, title: 'Name', children: null };
  const { ref, onCancel } = (Dialog(given) as Shown).props;
  const element = {
    open: false,
    showModal: () => undefined,
    querySelector: () => null,
    querySelectorAll: () => fields,
  };
  ref.current = element;
  runEffects();
  return () => {
    const preventDefault = vi.fn<() => void>();
    onCancel({ currentTarget: element, preventDefault });
    return preventDefault.mock.calls.length === 0 ? 'closes' : 'stays';
  };
}
