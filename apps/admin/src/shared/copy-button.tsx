import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { announce } from './announcer.js';
import { copyText } from './copy-text.js';
import { CheckIcon } from './icons.js';
import classes from './shared.module.css';

interface CopyButtonProps {
  text: string;
  icon: ReactNode;
  children: string;
}

/** Copies a text and says so; where the browser forbids it, shows the text to be copied by hand. */
export function CopyButton({ text, icon, children }: CopyButtonProps) {
  const [outcome, setOutcome] = useState<'copied' | 'refused'>();
  const copy = async () => {
    const isCopied = await copyText(text);
    setOutcome(isCopied ? 'copied' : 'refused');
    announce(isCopied ? `Copied ${text}` : `This browser does not let the page copy: ${text}`);
    if (isCopied) setTimeout(() => setOutcome(undefined), 2000);
  };
  const isCopied = outcome === 'copied';
  return (
    <span className={classes.copy}>
      <Button variant="default" leftSection={isCopied ? <CheckIcon /> : icon} onClick={() => void copy()}>
        {isCopied ? 'Copied' : children}
      </Button>
      {outcome === 'refused' && <code>{text}</code>}
    </span>
  );
}
