// Each from its own file: the index of all 6,000 icons would make every build and type check slow.
export { default as AlertIcon } from '@tabler/icons-react/dist/esm/icons/IconAlertCircle.mjs';
export { default as ArrowDownIcon } from '@tabler/icons-react/dist/esm/icons/IconArrowDown.mjs';
export { default as ArrowUpIcon } from '@tabler/icons-react/dist/esm/icons/IconArrowUp.mjs';
export { default as BookIcon } from '@tabler/icons-react/dist/esm/icons/IconBook.mjs';
export { default as ChartIcon } from '@tabler/icons-react/dist/esm/icons/IconChartBar.mjs';
export { default as CheckIcon } from '@tabler/icons-react/dist/esm/icons/IconCheck.mjs';
export { default as ChevronDownIcon } from '@tabler/icons-react/dist/esm/icons/IconChevronDown.mjs';
export { default as ChevronLeftIcon } from '@tabler/icons-react/dist/esm/icons/IconChevronLeft.mjs';
export { default as ChevronRightIcon } from '@tabler/icons-react/dist/esm/icons/IconChevronRight.mjs';
export { default as CloseIcon } from '@tabler/icons-react/dist/esm/icons/IconX.mjs';
export { default as DownloadIcon } from '@tabler/icons-react/dist/esm/icons/IconDownload.mjs';
export { default as KeyboardIcon } from '@tabler/icons-react/dist/esm/icons/IconKeyboard.mjs';
export { default as LinkIcon } from '@tabler/icons-react/dist/esm/icons/IconLink.mjs';
export { default as ListIcon } from '@tabler/icons-react/dist/esm/icons/IconList.mjs';
export { default as LockIcon } from '@tabler/icons-react/dist/esm/icons/IconLock.mjs';
export { default as MenuIcon } from '@tabler/icons-react/dist/esm/icons/IconMenu2.mjs';
export { default as MoonIcon } from '@tabler/icons-react/dist/esm/icons/IconMoon.mjs';
export { default as PlusIcon } from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs';
export { default as PrinterIcon } from '@tabler/icons-react/dist/esm/icons/IconPrinter.mjs';
export { default as RefreshIcon } from '@tabler/icons-react/dist/esm/icons/IconRefresh.mjs';
export { default as ScanIcon } from '@tabler/icons-react/dist/esm/icons/IconScan.mjs';
export { default as SearchIcon } from '@tabler/icons-react/dist/esm/icons/IconSearch.mjs';
export { default as SignOutIcon } from '@tabler/icons-react/dist/esm/icons/IconLogout.mjs';
export { default as SortIcon } from '@tabler/icons-react/dist/esm/icons/IconArrowsSort.mjs';
export { default as SunIcon } from '@tabler/icons-react/dist/esm/icons/IconSun.mjs';
export { default as SystemIcon } from '@tabler/icons-react/dist/esm/icons/IconDeviceDesktop.mjs';
export { default as UploadIcon } from '@tabler/icons-react/dist/esm/icons/IconUpload.mjs';

export function Logo() {
  return <img src="/favicon.svg" alt="" width="32" height="32" />;
}
