import { Copy, LayoutDashboard, type LucideIcon, Maximize2, Minimize2, Plus, Redo2, Trash2, Undo2 } from 'lucide-react';
import { useState } from 'react';
import { Button, Dialog } from '../../../ui/controls.tsx';
import type { NodeType } from './known-nodes.ts';
import { TYPE_GROUPS } from './new-nodes.ts';
import { useTexts } from './texts.ts';
import { TypeIcon } from './type-icon.tsx';

interface ToolbarProps {
  readonly canEdit: boolean;
  readonly canUndo: boolean;
  readonly canRedo: boolean;
  readonly hasSelection: boolean;
  readonly isExpanded: boolean;
  readonly onAdd: (type: NodeType) => void;
  readonly onUndo: () => void;
  readonly onRedo: () => void;
  readonly onDelete: () => void;
  readonly onDuplicate: () => void;
  readonly onTidy: () => void;
  readonly onExpand: () => void;
}

export function Toolbar(props: ToolbarProps) {
  const { canEdit, canUndo, canRedo, hasSelection, isExpanded } = props;
  const { ui } = useTexts();
  const [isAdding, setAdding] = useState(false);
  return (
    <div role="toolbar" aria-label={ui.settings} className="flex flex-wrap gap-1">
      {canEdit && (
        <>
          <Button onClick={() => setAdding(true)}>
            <Plus aria-hidden="true" className="size-4" />
            {ui.add}
          </Button>
          <IconButton icon={Undo2} label={ui.undo} disabled={!canUndo} onClick={props.onUndo} />
          <IconButton icon={Redo2} label={ui.redo} disabled={!canRedo} onClick={props.onRedo} />
          <IconButton icon={Copy} label={ui.duplicate} disabled={!hasSelection} onClick={props.onDuplicate} />
          <IconButton icon={Trash2} label={ui.delete} disabled={!hasSelection} onClick={props.onDelete} />
          <IconButton icon={LayoutDashboard} label={ui.tidy} onClick={props.onTidy} />
        </>
      )}
      <IconButton
        icon={isExpanded ? Minimize2 : Maximize2}
        label={isExpanded ? ui.shrink : ui.expand}
        onClick={props.onExpand}
      />
      {isAdding && (
        <Palette
          onClose={() => setAdding(false)}
          onChoose={(type) => {
            setAdding(false);
            props.onAdd(type);
          }}
        />
      )}
    </div>
  );
}

function IconButton({
  icon: Icon,
  label,
  ...rest
}: {
  icon: LucideIcon;
  label: string;
  disabled?: boolean;
  onClick: () => void;
}) {
  return (
    <Button aria-label={label} title={label} {...rest}>
      <Icon aria-hidden="true" className="size-4" />
    </Button>
  );
}

function Palette({ onChoose, onClose }: { onChoose: (type: NodeType) => void; onClose: () => void }) {
  const texts = useTexts();
  return (
    <Dialog title={texts.ui.add} onClose={onClose}>
      <div className="flex max-h-[70dvh] flex-col gap-3 overflow-y-auto">
        {Object.entries(TYPE_GROUPS).map(([group, types]) => (
          <section key={group} aria-label={texts.groups[group as keyof typeof TYPE_GROUPS]}>
            <h3 className="mb-1 text-sm font-semibold text-muted">{texts.groups[group as keyof typeof TYPE_GROUPS]}</h3>
            <ul className="grid gap-1 sm:grid-cols-2">
              {types.map((type) => (
                <li key={type}>
                  <button
                    type="button"
                    className="flex h-full w-full items-start gap-2 rounded-lg border border-line p-2 text-start text-sm hover:bg-raised"
                    onClick={() => onChoose(type)}
                  >
                    <TypeIcon type={type} />
                    <span>
                      <span className="block font-semibold">{texts.types[type]}</span>
                      <span className="block text-xs text-muted">{texts.about[type]}</span>
                    </span>
                  </button>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
    </Dialog>
  );
}
