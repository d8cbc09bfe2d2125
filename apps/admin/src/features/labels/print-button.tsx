import { Button } from '@mantine/core';
import { PrinterIcon } from '../../shared/icons.js';

export function PrintButton({ children }: { children: string }) {
  return (
    <Button leftSection={<PrinterIcon />} onClick={() => print()}>
      {children}
    </Button>
  );
}
