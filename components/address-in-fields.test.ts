import { beforeEach, expect, it, vi } from 'vitest';
import { hooks, runEffects } from '#lib/testing/held-hooks.ts';

/** Which filter fields take the values of the address. */

// The tests run without a page: the hook is called as a function.
vi.mock('react', async () => (await import('#lib/testing/held-hooks.ts')).heldHooks);

class Field {
  name = 'wallet';
  value = '';
  defaultValue = '';
  dataset = {};
}
vi.stubGlobal('HTMLInputElement', Field);
vi.stubGlobal('HTMLSelectElement', EventTarget);
const { useAddressInFields } = await import('./address-in-fields.ts');

const wallet = new Field();

/** Draws the list of this address, while the address bar has `bar`. */
function draw(address: string, bar = address): void {
  vi.stubGlobal('location', { search: bar });
  hooks.next = 0;
  const form = useAddressInFields(true, new URLSearchParams(address));
  Object.assign(form, { current: { elements: [wallet] } });
  runEffects();
}

beforeEach(() => {
  hooks.held = [];
  Object.assign(wallet, { value: '', defaultValue: '' });
});

it('a field takes the value of an address that the back button or a removed filter brought', () => {
  draw('?wallet=1');
  expect(wallet.value).toBe('1');
  draw('');
  expect(wallet.value).toBe('');
});

it('what was typed before the scripts ran stays', () => {
  wallet.value = 'typed';
  draw('');
  expect(wallet.value).toBe('typed');
});

it('a choice stays while the list of an earlier one is drawn', () => {
  draw('');
  wallet.value = '2';
  draw('?wallet=1', '?wallet=2');
  expect(wallet.value, 'the first choice was drawn late').toBe('2');
  draw('?wallet=2');
  expect(wallet.value).toBe('2');
});
