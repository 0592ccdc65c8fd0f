'use client';

import { Upload } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useRouter } from 'next/navigation';
import { useRef, useState } from 'react';
import type { DragEvent, ReactNode } from 'react';
import { RefreshButton } from '#components/refresh-button.tsx';
import { LinkButton } from '#components/ui/button.tsx';
import { describedBy, Field, Select, Textarea } from '#components/ui/field.tsx';
import { EmptyState, Panel } from '#components/ui/panel.tsx';
import { PressButton } from '#components/ui/press-button.tsx';
import { FILE_BYTES_MAX, ROWS_MAX } from '#lib/batches/file/source.ts';

type WalletChoice = { number: string; name: string };
type Message = { ok: boolean; text: string } | null;

const MEGABYTES = FILE_BYTES_MAX / (1024 * 1024);
const DROP_ZONE =
  'grid justify-items-center gap-3 rounded-panel border-2 border-dashed border-control p-6 ' +
  'text-center data-[over=true]:border-accent data-[over=true]:bg-raised';

/** A file that is dropped or chosen, or pasted rows; the draft's page opens when it is stored. */
export function UploadForm({
  wallets,
  isRead,
  chosen,
}: {
  /** Those that can pay. */
  wallets: readonly WalletChoice[];
  /** Whether the merchant's wallets are known: if not, there may be some. */
  isRead: boolean;
  chosen: string;
}): ReactNode {
  const t = useTranslations('batches.upload');
  const [picked, setPicked] = useState<string | null>(null);
  const wallet = picked ?? (chosen || (wallets[0]?.number ?? ''));
  const { message, pending, send } = useUpload(wallet);
  if (wallets.length === 0) return <NoWallet isRead={isRead} />;
  return (
    <Panel>
      <div className="grid gap-5 p-4">
        <div className="max-w-80">
          <Field id="batch-wallet" label={t('wallet')}>
            <Select
              id="batch-wallet"
              value={wallet}
              onChange={(event) => setPicked(event.target.value)}
            >
              {wallets.map(({ number, name }) => (
                <option key={number} value={number}>
                  {name} · {number}
                </option>
              ))}
            </Select>
          </Field>
        </div>
        <DropZone pending={pending} onFile={(file) => void send(file)} />
        <p
          role="status"
          className={`text-body font-medium empty:hidden ${message?.ok === false ? 'text-failed' : 'text-muted'}`}
        >
          {message?.text}
        </p>
        <PasteBox pending={pending} onPaste={(text) => void send(text)} />
      </div>
    </Panel>
  );
}

function NoWallet({ isRead }: { isRead: boolean }): ReactNode {
  const t = useTranslations('batches.upload');
  return (
    <Panel>
      <EmptyState
        title={t(isRead ? 'noPayable' : 'noWallet')}
        actions={
          isRead ? (
            <LinkButton href="/wallets">{t('openWallets')}</LinkButton>
          ) : (
            <RefreshButton>{t('retry')}</RefreshButton>
          )
        }
      />
    </Panel>
  );
}

function DropZone({
  pending,
  onFile,
}: {
  pending: boolean;
  onFile: (file: File) => void;
}): ReactNode {
  const t = useTranslations('batches.upload');
  const input = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);
  const drop = (event: DragEvent): void => {
    event.preventDefault();
    setOver(false);
    const [file] = event.dataTransfer.files;
    if (file !== undefined && !pending) onFile(file);
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- the button does the same
    <div
      data-over={over}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
      className={DROP_ZONE}
    >
      <Upload aria-hidden className="size-6 text-muted" />
      <p className="font-medium">{t('drop')}</p>
      <input
        ref={input}
        type="file"
        accept=".xlsx,.csv,.txt,.tsv"
        aria-label={t('file')}
        className="sr-only"
        tabIndex={-1}
        onChange={(event) => {
          const file = event.target.files?.[0];
          // The same file can be chosen again after a correction.
          event.target.value = '';
          if (file !== undefined) onFile(file);
        }}
      />
      <PressButton look="primary" aria-disabled={pending} onClick={() => input.current?.click()}>
        {t('choose')}
      </PressButton>
      <p className="max-w-prose text-label text-muted">{t('limits', { rows: ROWS_MAX })}</p>
    </div>
  );
}

function PasteBox({
  pending,
  onPaste,
}: {
  pending: boolean;
  onPaste: (text: string) => void;
}): ReactNode {
  const t = useTranslations('batches.upload');
  const [text, setText] = useState('');
  const hint = t('pasteHint');
  return (
    <div className="grid gap-3">
      <Field id="batch-paste" label={t('paste')} hint={hint}>
        <Textarea
          id="batch-paste"
          value={text}
          rows={4}
          spellCheck={false}
          autoComplete="off"
          aria-describedby={describedBy('batch-paste', { hint })}
          onChange={(event) => setText(event.target.value)}
        />
      </Field>
      <div>
        <PressButton
          aria-disabled={pending}
          disabled={text.trim() === ''}
          onClick={() => onPaste(text)}
        >
          {t('pasteButton')}
        </PressButton>
      </div>
    </div>
  );
}

function useUpload(wallet: string): {
  message: Message;
  pending: boolean;
  send: (given: File | string) => Promise<void>;
} {
  const t = useTranslations('batches.upload');
  const router = useRouter();
  const [message, setMessage] = useState<Message>(null);
  const [pending, setPending] = useState(false);
  const send = async (given: File | string): Promise<void> => {
    if (pending) return;
    const tooLarge = t('tooLarge', { max: MEGABYTES });
    if (typeof given !== 'string' && given.size > FILE_BYTES_MAX)
      return setMessage({ ok: false, text: tooLarge });
    setPending(true);
    const reading =
      typeof given === 'string' ? t('readingPaste') : t('reading', { name: given.name });
    setMessage({ ok: true, text: reading });
    const answer = await upload(wallet, given);
    if (answer.id !== null) return router.push(`/batches/${answer.id}`);
    setPending(false);
    const text =
      answer.status === 413 ? tooLarge : answer.status === 401 ? t('signedOut') : t('failed');
    setMessage({ ok: false, text: answer.text ?? text });
  };
  return { message, pending, send };
}

type Answer = { id: string | null; status: number; text: string | null };

/** Sends the bytes as they are: the server reads them, and trusts no type that a browser names. */
async function upload(wallet: string, given: File | string): Promise<Answer> {
  const isText = typeof given === 'string';
  try {
    const response = await fetch(`/api/batches?wallet=${encodeURIComponent(wallet)}`, {
      method: 'POST',
      headers: isText
        ? { 'content-type': 'application/x-payout-rows' }
        : {
            'content-type': 'application/octet-stream',
            'x-file-name': encodeURIComponent(given.name),
          },
      body: given,
    });
    const body = (await response.json().catch(() => ({}))) as Partial<Answer>;
    return { id: body.id ?? null, status: response.status, text: body.text ?? null };
  } catch {
    return { id: null, status: 0, text: null };
  }
}
