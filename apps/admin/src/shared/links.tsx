import { Button, type ButtonProps } from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import type { ComponentProps, Ref } from 'react';
import { ChevronLeftIcon } from './icons.js';

type AnchorProps = ButtonProps & Omit<ComponentProps<'a'>, keyof ButtonProps>;

function AnchorButton({ ref, ...props }: AnchorProps & { ref?: Ref<HTMLAnchorElement> }) {
  return <Button component="a" ref={ref} {...props} />;
}

/** A router link that looks like a button. */
export const ButtonLink = createLink(AnchorButton);

/** To the list with the filter that the device showed last. */
export function ListLink() {
  return (
    <ButtonLink to="/" variant="subtle" leftSection={<ChevronLeftIcon />} m="-0.75rem 0 0.25rem -1.25rem">
      Animals
    </ButtonLink>
  );
}
