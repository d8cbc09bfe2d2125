import { Button, type ButtonProps } from '@mantine/core';
import { createLink, Link } from '@tanstack/react-router';
import type { ComponentProps, MouseEvent, ReactNode, Ref } from 'react';

type AnchorProps = ButtonProps & Omit<ComponentProps<'a'>, keyof ButtonProps>;

function AnchorButton({ ref, ...props }: AnchorProps & { ref?: Ref<HTMLAnchorElement> }) {
  return <Button component="a" ref={ref} {...props} />;
}

/** A router link that looks like a button. */
export const ButtonLink = createLink(AnchorButton);

interface PetLinkProps {
  id: bigint | string;
  children: ReactNode;
  className?: string | undefined;
  preload?: false;
  onClick?: () => void;
}

/** Leads to the page of an animal. */
export function PetLink({ id, ...props }: PetLinkProps) {
  return <Link to="/pets/$petId" params={{ petId: String(id) }} {...props} />;
}

/** Whether the browser opens a link elsewhere, for example in a new tab. */
export function opensElsewhere({ ctrlKey, metaKey, shiftKey, altKey }: MouseEvent): boolean {
  return ctrlKey || metaKey || shiftKey || altKey;
}
