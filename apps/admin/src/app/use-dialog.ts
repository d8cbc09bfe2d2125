import { useNavigate, useRouter, useRouterState } from '@tanstack/react-router';

type DialogName = 'scan' | 'help';
declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The dialog that is open over the page. */
    dialog?: DialogName;
  }
}

/** An open dialog is an entry of the history: Back closes it, not its page. */
export function useDialog(name: DialogName) {
  const navigate = useNavigate();
  const { history } = useRouter();
  const isOpen = useRouterState({ select: ({ location }) => location.state.dialog === name });
  const open = () =>
    void navigate({ to: '.', search: true, state: (state) => ({ ...state, dialog: name }), resetScroll: false });
  const close = () => {
    if (history.location.state.dialog === name) history.back();
  };
  return { isOpen, open, close };
}
