import 'server-only';
import { getTranslations } from 'next-intl/server';
import { workspace } from '#lib/runtime/workspace.ts';
import type { Demo } from './login-form.tsx';

/** The demo people, as sandbox/README.md lists them. */
const PEOPLE = [
  { email: 'ayse@demo.test', name: 'Ayşe', role: 'clerk' },
  { email: 'mehmet@demo.test', name: 'Mehmet', role: 'approver' },
  { email: 'selin@demo.test', name: 'Selin', role: 'owner' },
  { email: 'can@demo.test', name: 'Can', role: 'support' },
  { email: 'deniz@demo.test', name: 'Deniz', role: 'auditor' },
] as const;

/** The demo people with their roles in words; null outside of the sandbox. */
export async function demoPeople(): Promise<Demo | null> {
  const { demoPhone } = workspace();
  if (demoPhone === null) return null;
  const t = await getTranslations('login.demo');
  const roles = await getTranslations('shell.roles');
  return {
    people: PEOPLE.map((one) => ({ ...one, role: roles(one.role) })),
    phone: demoPhone,
    words: { title: t('title'), text: t('text'), codeText: t('codeText'), phone: t('phone') },
  };
}
