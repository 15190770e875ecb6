// A colour with its opacity: the browser's own picker, and a slider.

interface Props {
  /** The name of the form field, if it has one. */
  id?: string;
  /** The thing that has the colour, for people who hear the page. */
  name: string;
  /** #RRGGBBAA */
  field: string;
  change: (field: string) => void;
}

export function ColorField({ id, name, field, change }: Props) {
  const [color, alpha] = [field.slice(0, 7) || '#2962FF', parseInt(field.slice(7, 9) || 'FF', 16)];
  const put = (next: string, opacity: number) => change(`${next}${opacity.toString(16).padStart(2, '0')}`.toUpperCase());
  return (
    <span className="field__color">
      <input type="color" name={id} aria-label={`Colour of ${name}`} value={color.toLowerCase()} onChange={(event) => put(event.target.value, alpha)} />
      <input
        type="range"
        aria-label={`Opacity of ${name}`}
        title={`Opacity: ${Math.round(alpha / 2.55)}%`}
        min={0}
        max={255}
        value={alpha}
        onChange={(event) => put(color, Number(event.target.value))}
      />
    </span>
  );
}
