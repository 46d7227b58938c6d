"""What tracks say as a whole: mean squared displacements, and how a structure bends at its peaks."""
