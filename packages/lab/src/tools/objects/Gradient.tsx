// How the gradient is taken, in which objects are found instead of the values: in one picture, or in a whole volume.

import { changeObjects, recipe, unit as unitOfLengths } from "../../state/lab.js";
import { Choice, NumberField } from "../../widgets/fields.js";
import { TEXT } from "../../words/text.js";

export function Gradient() {
  const { gradient } = recipe.value.objects;
  const size = recipe.value.scale?.size ?? 1;
  return (
    <div class="fields">
      <Choice
        {...{ name: "gradient", label: TEXT.gradient.label, title: TEXT.gradient.tip }}
        value={gradient === 0 ? "none" : gradient === "sobel" ? gradient : "gaussian"}
        options={(["none", "sobel", "gaussian"] as const).map((by) => [by, TEXT.gradient[by]] as const)}
        change={(by) =>
          changeObjects({ gradient: by === "none" ? 0 : by === "sobel" ? by : Number(size.toPrecision(4)) })
        }
      />
      {typeof gradient === "number" && gradient > 0 && (
        <NumberField
          {...{ name: "gradientSigma", label: TEXT.gradient.sigma(unitOfLengths()), value: gradient, step: "any" }}
          change={(value) => changeObjects({ gradient: value })}
        />
      )}
    </div>
  );
}
