import { expect, it } from 'vitest';
import { KIND_NAMES } from '#lib/movements/kinds.ts';
import { movementKinds } from './kinds.ts';

it('the worker sends every kind of the table, each by the one name that its rows have', () => {
  const names = movementKinds('merchant', {} as never, {} as never).map(({ name }) => name);
  expect(names.toSorted()).toEqual(KIND_NAMES.toSorted());
});
