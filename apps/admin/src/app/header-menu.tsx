import { ActionIcon } from '@mantine/core';
import { MenuIcon } from '../shared/icons.js';
import { useLazyCode } from '../shared/use-lazy-code.js';
import { loadOpenMenu } from './lazy-chunks.js';

/** Settings, documentation and sign-out. */
export function HeaderMenu({ onHelp }: { onHelp: () => void }) {
  const { code, loadCode } = useLazyCode(loadOpenMenu);
  if (code) return <code.OpenMenu onHelp={onHelp} />;
  return (
    <ActionIcon variant="subtle" color="gray" size={44} aria-label="Menu" aria-haspopup="menu" onClick={loadCode}>
      <MenuIcon />
    </ActionIcon>
  );
}
