const icon = (path: string) =>
  function Icon() {
    return (
      <svg
        viewBox="0 0 20 20"
        width="20"
        height="20"
        // Beside a long text, it would shrink to a dot.
        style={{ flex: 'none' }}
        fill="none"
        stroke="currentColor"
        strokeWidth="1.75"
        strokeLinecap="round"
        strokeLinejoin="round"
        aria-hidden="true"
      >
        <path d={path} />
      </svg>
    );
  };

export const AlertIcon = icon('M3 10a7 7 0 1 0 14 0 7 7 0 1 0-14 0M10 6.500v4M10 13.400v.1');
export const ArrowDownIcon = icon('M10 5v10M6.500 11.500 10 15l3.500-3.500');
export const ArrowUpIcon = icon('M10 15V5M6.500 8.500 10 5l3.500 3.500');
export const BookIcon = icon(
  'M10 5.500C8.500 4.300 6 4 3.500 4v11.500c2.500 0 5 .300 6.500 1.500 1.500-1.200 4-1.500 6.500-1.500V4C14 4 11.500 4.300 10 5.500zM10 5.500V17',
);
export const ChartIcon = icon('M3.500 16.500h13M6 16.500v-5M10 16.500v-10M14 16.500v-7.500');
export const CheckIcon = icon('m4 10.500 4 4 8-9');
export const ChevronDownIcon = icon('m5.500 8 4.500 4.500 4.500-4.500');
export const ChevronLeftIcon = icon('m12 5-5 5 5 5');
export const ChevronRightIcon = icon('m8 5 5 5-5 5');
export const UploadIcon = icon('M10 13V4M6.500 7.500 10 4l3.500 3.500M3.500 16.500h13');
export const CloseIcon = icon('m6 6 8 8M14 6l-8 8');
export const ListIcon = icon('M7.500 5.500h9M7.500 10h9M7.500 14.500h9M3.500 5.500h.1M3.500 10h.1M3.500 14.500h.1');
export const ScanIcon = icon(
  'M3.500 7V5A1.500 1.500 0 0 1 5 3.500h2M13 3.500h2A1.500 1.500 0 0 1 16.500 5v2M16.500 13v2a1.500 1.500 0 0 1-1.500 1.500h-2M7 16.500H5A1.500 1.500 0 0 1 3.500 15v-2M7 7h6v6H7z',
);
export const LinkIcon = icon(
  'm8.500 11.500 3-3M9 5.500l1-1a3.900 3.900 0 0 1 5.500 5.500l-1 1M11 14.500l-1 1A3.900 3.900 0 0 1 4.500 10l1-1',
);
export const PlusIcon = icon('M10 4v12M4 10h12');
export const PrinterIcon = icon(
  'M6 7V3.500h8V7M6 14H4.500A1.500 1.500 0 0 1 3 12.500v-4A1.500 1.500 0 0 1 4.500 7h11A1.500 1.500 0 0 1 17 8.500v4a1.500 1.500 0 0 1-1.500 1.500H14M6 11.500h8v5H6z',
);
export const RefreshIcon = icon('M16 10a6 6 0 1 1-1.800-4.300L16 7.500M16 3.500v4h-4');
export const SortIcon = icon('M6.500 4v12M3.500 13l3 3 3-3M13.500 16V4M10.500 7l3-3 3 3');
export const SearchIcon = icon('M3.500 8.500a5 5 0 1 0 10 0 5 5 0 1 0-10 0m8.600 3.600 4.400 4.400');
export const MenuIcon = icon('M3.500 5.500h13M3.500 10h13M3.500 14.500h13');

/** The drawing is in index.html, which shows it first. */
export function Logo() {
  return (
    <svg width="32" height="32" aria-hidden="true">
      <use href="#logo" />
    </svg>
  );
}
