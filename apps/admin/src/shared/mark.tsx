/** The mark of the store; the favicon is the same. */
export function Mark({ size = 32 }: { size?: number }) {
  return <img src="/favicon.svg" width={size} height={size} alt="" />;
}
