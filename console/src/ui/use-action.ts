import { useMutation, useQueryClient } from '@tanstack/react-query';

/** A call that changes something, after which what these queries have read is read again. */
export function useAction<Input = void, Output = unknown>(
  action: (input: Input) => Promise<Output>,
  refreshed: readonly string[] = [],
) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: action,
    onSuccess: () => Promise.all(refreshed.map((name) => queries.invalidateQueries({ queryKey: [name] }))),
  });
}
