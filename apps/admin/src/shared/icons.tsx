import type { ReactNode } from 'react';

function Icon({ children }: { children: ReactNode }) {
  return (
    <svg
      viewBox="0 0 20 20"
      width="20"
      height="20"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.75"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      {children}
    </svg>
  );
}

export const PlusIcon = () => (
  <Icon>
    <path d="M10 4v12M4 10h12" />
  </Icon>
);

export const CheckIcon = () => (
  <Icon>
    <path d="m4 10.5 4 4 8-9" />
  </Icon>
);

export const CopyIcon = () => (
  <Icon>
    <rect x="7" y="7" width="9.5" height="9.5" rx="2" />
    <path d="M13 4.500A1.5 1.5 0 0 0 11.5 3.500h-6a2 2 0 0 0-2 2v6A1.5 1.5 0 0 0 4.5 13" />
  </Icon>
);

export const LinkIcon = () => (
  <Icon>
    <path d="m8.5 11.5 3-3M9 5.500l1-1a3.9 3.9 0 0 1 5.5 5.500l-1 1M11 14.500l-1 1A3.9 3.9 0 0 1 4.5 10l1-1" />
  </Icon>
);

export const RefreshIcon = () => (
  <Icon>
    <path d="M16 10a6 6 0 1 1-1.8-4.300L16 7.500M16 3.500v4h-4" />
  </Icon>
);

export const ChevronLeftIcon = () => (
  <Icon>
    <path d="m12 5-5 5 5 5" />
  </Icon>
);

export const ChevronRightIcon = () => (
  <Icon>
    <path d="m8 5 5 5-5 5" />
  </Icon>
);

export const AlertIcon = () => (
  <Icon>
    <circle cx="10" cy="10" r="7" />
    <path d="M10 6.500v4M10 13.400v.1" />
  </Icon>
);
