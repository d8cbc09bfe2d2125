import { Button, Group } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { announce } from './announcer.js';
import { CheckIcon } from './icons.js';

interface CopyButtonProps {
  text: string;
  icon: ReactNode;
  children: string;
}

/** If the browser refuses to copy, the text appears next to the button. */
export function CopyButton({ text, icon, children }: CopyButtonProps) {
  const [result, setResult] = useState<'copied' | 'failed'>();
  const isCopied = result === 'copied';
  const copy = async () => {
    const isDone = await copyText(text);
    setResult(isDone ? 'copied' : 'failed');
    announce(isDone ? `Copied ${text}` : `Couldn't copy. Copy it yourself: ${text}`);
    if (isDone) setTimeout(() => setResult(undefined), 2000);
  };
  return (
    <Group gap="sm">
      <Button variant="default" leftSection={isCopied ? <CheckIcon /> : icon} onClick={() => void copy()}>
        {isCopied ? 'Copied' : children}
      </Button>
      {result === 'failed' && <code>{text}</code>}
    </Group>
  );
}

async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copySelection(text);
  }
}

/** Browsers offer `navigator.clipboard` on https only, and a store's tablet may use http. */
function copySelection(text: string): boolean {
  const focused = document.activeElement;
  const field = Object.assign(document.createElement('textarea'), { value: text, readOnly: true });
  field.style.cssText = 'position:fixed;top:0;opacity:0';
  document.body.append(field);
  field.select();
  // oxlint-disable-next-line typescript/no-deprecated
  const isCopied = document.execCommand('copy');
  field.remove();
  if (focused instanceof HTMLElement) focused.focus({ preventScroll: true });
  return isCopied;
}
