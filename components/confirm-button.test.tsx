import { Children, isValidElement } from 'react';
import type * as React from 'react';
import { beforeEach, expect, it, vi } from 'vitest';
import { hooks } from '#lib/testing/held-hooks.ts';
import type { ActionMessage } from './action-button.tsx';
import { ConfirmButton } from './confirm-button.tsx';
import { Dialog } from './ui/dialog.tsx';
import { PressButton } from './ui/press-button.tsx';

/** What a message area around the component is given. */
const around = vi.hoisted(() => ({ area: null as ((message: unknown) => void) | null }));

// The tests run without a page: the component is called as a function.
vi.mock('react', async (original) => ({
  ...(await original<typeof React>()),
  ...(await import('#lib/testing/held-hooks.ts')).heldHooks,
  createContext: () => null,
  use: () => around.area,
}));

// The links of Next.js need the complete React.
vi.mock('#components/ui/link.tsx', () => ({ Link: 'a' }));

const REFUSED = { ok: false, text: 'The note is too short.' };
const DONE = { ok: true, text: 'Two days were closed.' };

let inArea: ActionMessage[];
beforeEach(() => {
  hooks.held = [];
  inArea = [];
});

it.each([
  ['in a message area', true],
  ['by itself', false],
])('a refusal leaves the dialog open and is shown in it, %s', async (_where, hasArea) => {
  await press(Promise.resolve(REFUSED), hasArea);
  expect(drawn(hasArea)).toEqual({ isOpen: true, alert: REFUSED.text, beside: '' });
  expect(inArea, 'where the row and its dialog disappear').toEqual(hasArea ? [REFUSED] : []);
});

it('a press whose answer is lost leaves the dialog open', async () => {
  await press(Promise.reject(new TypeError('Failed to fetch')), true);
  const { isOpen, alert } = drawn(true);
  expect(isOpen).toBe(true);
  expect(alert).not.toBe('');
});

it('a success closes the dialog and is shown once', async () => {
  await press(Promise.resolve(DONE), true);
  expect(drawn(true)).toEqual({ isOpen: false, alert: '', beside: '' });
  expect(inArea).toEqual([DONE]);
  hooks.held = [];
  await press(Promise.resolve(DONE), false);
  expect(drawn(false)).toEqual({ isOpen: false, alert: '', beside: DONE.text });
});

it('a dialog that is opened again does not show the refusal of a press before', async () => {
  await press(Promise.resolve(REFUSED), false);
  reopen();
  expect(drawn(false)).toEqual({ isOpen: true, alert: '', beside: '' });
  await press(Promise.resolve({ ...REFUSED }), false);
  expect(drawn(false).alert, 'the refusal of a press since').toBe(REFUSED.text);
});

type Found = React.ReactElement<Record<string, unknown> & { children?: React.ReactNode }>;

/** Confirms in the open dialog; the action answers with `answer`. */
async function press(answer: Promise<ActionMessage>, hasArea: boolean): Promise<void> {
  const form = elementsIn(buttonOf(hasArea, answer)).find(({ type }) => type === 'form')!;
  await (form.props['action'] as (form: FormData) => Promise<void>)(new FormData());
}

/** Closes the dialog, and presses the button that opens it. */
function reopen(): void {
  const handler = (type: unknown, name: string): (() => void) =>
    elementsIn(buttonOf(false)).find((one) => one.type === type)!.props[name] as () => void;
  handler(Dialog, 'onClose')();
  handler(PressButton, 'onClick')();
}

function drawn(hasArea: boolean): { isOpen: unknown; alert: unknown; beside: unknown } {
  const found = elementsIn(buttonOf(hasArea));
  const ofRole = (role: string): unknown =>
    found.find(({ props }) => props['role'] === role)!.props.children;
  return {
    isOpen: found.find(({ type }) => type === Dialog)!.props['open'],
    alert: ofRole('alert'),
    beside: ofRole('status'),
  };
}

function buttonOf(
  hasArea: boolean,
  answer: Promise<ActionMessage> = Promise.resolve(null),
): React.ReactNode {
  hooks.next = 0;
  around.area = hasArea ? (message) => inArea.push(message as ActionMessage) : null;
  return ConfirmButton({
    action: () => answer,
    fields: {},
    words: { open: 'Close days', title: 'Close?', confirm: 'Close', keep: 'Keep' },
    asks: true,
    children: null,
  });
}

function elementsIn(node: React.ReactNode): Found[] {
  return Children.toArray(node).flatMap((child) =>
    isValidElement<Found['props']>(child) ? [child, ...elementsIn(child.props.children)] : [],
  );
}
