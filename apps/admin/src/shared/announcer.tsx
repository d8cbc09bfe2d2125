import { VisuallyHidden } from '@mantine/core';

const id = 'announcer';

/** Screen readers read the message aloud; the focus does not move. */
export function announce(message: string): void {
  const region = document.querySelector(`#${id}`);
  if (region) region.textContent = message;
}

/** The live region. Screen readers ignore a message that appears together with its region. */
export function Announcer() {
  return <VisuallyHidden id={id} role="status" />;
}
