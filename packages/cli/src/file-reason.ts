const reasons: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EFBIG: 'the file is larger than the system allows',
  EISDIR: 'it is a directory',
  ENOENT: 'it does not exist',
  ENOSPC: 'the disk is full',
  ENOTDIR: 'a part of the path is not a directory',
  EROFS: 'the file system is read-only',
};

/** Why a file cannot be used, as the end of a sentence. `undefined` for other errors. */
export function fileReason(error: unknown): string | undefined {
  return reasons[(error as NodeJS.ErrnoException).code ?? ''];
}
