'use server';

import { cookies } from 'next/headers';
import { redirect } from 'next/navigation';
import { fromOwnOrigin } from '#lib/origin.ts';
import { currentPerson, endSessions, sessionCookieName } from '#lib/session.ts';

/** Ends this session for good; the cookie alone would still be worth something. */
export async function signOut(): Promise<void> {
  if (!(await fromOwnOrigin())) redirect('/login');
  const person = await currentPerson();
  if (person) await endSessions(person, person.sessionId);
  (await cookies()).delete(sessionCookieName());
  redirect('/login');
}
