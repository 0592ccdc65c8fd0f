import type { ReactNode } from 'react';

async function signIn(): Promise<void> {
  'use server';
}

export default function Page(): ReactNode {
  return (
    <form action={signIn} className="mx-auto grid max-w-sm gap-2">
      <h1 className="text-2xl">Sign in</h1>
      <label>
        E-mail
        <input name="email" type="email" className="w-full border" />
      </label>
      <label>
        Password
        <input name="password" type="password" className="w-full border" />
      </label>
      <button type="submit" className="border p-2">
        Sign in
      </button>
    </form>
  );
}
