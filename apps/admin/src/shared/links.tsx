import { Button, type ButtonProps } from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import type { ComponentProps, Ref } from 'react';

type AnchorProps = ButtonProps & Omit<ComponentProps<'a'>, keyof ButtonProps>;

function AnchorButton({ ref, ...props }: AnchorProps & { ref?: Ref<HTMLAnchorElement> }) {
  return <Button component="a" ref={ref} {...props} />;
}

/** A router link that looks like a button. */
export const ButtonLink = createLink(AnchorButton);
