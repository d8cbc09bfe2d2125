/** Moves the focus to the search field of the header. */
export function focusFindField(): void {
  const field = document.querySelector<HTMLInputElement>('#find');
  field?.focus();
  field?.select();
}
