import { useLocalStorage } from '@mantine/hooks';

/** Whether single keys are shortcuts on this device. Speech input and shaky hands can trigger them by mistake. */
export function useShortcutsSetting() {
  return useLocalStorage({ key: 'petstore.shortcuts', defaultValue: true, getInitialValueInEffect: false });
}
