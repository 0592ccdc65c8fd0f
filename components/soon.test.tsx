import { Suspense } from 'react';
import type { ReactElement, ReactNode } from 'react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Soon } from './soon.tsx';

/** A part of a page is sent with it when it is ready soon, and behind a placeholder otherwise. */

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const placeholder = <p>waiting</p>;

function later(ms: number, node: ReactNode): () => Promise<ReactNode> {
  return () => new Promise((resolve) => setTimeout(resolve, ms, node));
}

async function after<T>(ms: number, drawing: Promise<T>): Promise<T> {
  await vi.advanceTimersByTimeAsync(ms);
  return drawing;
}

it('draws what is ready in time without a placeholder', async () => {
  expect(await after(99, Soon({ placeholder, draw: later(99, 'chart') }))).toBe('chart');
});

it('draws what takes longer behind its placeholder, and asks for it once', async () => {
  const draw = vi.fn<() => Promise<ReactNode>>(later(500, 'chart'));
  const drawn = (await after(101, Soon({ placeholder, draw }))) as ReactElement<{
    fallback: ReactNode;
    children: ReactElement<object, (props: object) => Promise<ReactNode>>;
  }>;
  expect(drawn.type).toBe(Suspense);
  expect(drawn.props.fallback).toBe(placeholder);
  const { type, props } = drawn.props.children;
  expect(await after(400, type(props))).toBe('chart');
  expect(draw).toHaveBeenCalledOnce();
});

it('passes a fault in time on to the page', async () => {
  const draw = async (): Promise<ReactNode> => Promise.reject(new Error('no such wallet'));
  await expect(Soon({ placeholder, draw })).rejects.toThrow('no such wallet');
});
