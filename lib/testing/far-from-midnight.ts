import { midnightIsFar } from './midnight.ts';

/** Vitest runs this before each file of tests. */
await midnightIsFar();
