import { Button } from '@mantine/core';
import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { focusHeading } from './focus.js';

interface DialogProps {
  title: string;
  /** Called when it was closed. Without it, only the page closes it. */
  onClose?: () => void;
  children: ReactNode;
}

/** A modal dialog, open as long as it is rendered. */
export function Dialog({ title, onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => {
      // Returns the focus to where it was, if that element still exists.
      element?.close();
      if (document.activeElement === document.body) focusHeading();
    };
  }, []);
  const noteClose = () => {
    if (dialog.current?.open) return;
    // Browsers that do not know `closedby` close it on Escape.
    if (onClose) onClose();
    else dialog.current?.showModal();
  };
  return (
    <dialog
      ref={dialog}
      className="panel"
      aria-label={title}
      closedby={onClose ? 'closerequest' : 'none'}
      onClose={noteClose}
    >
      <h2>{title}</h2>
      {children}
      {onClose && (
        <Button variant="default" mr="auto" onClick={() => dialog.current?.close()}>
          Close
        </Button>
      )}
    </dialog>
  );
}
