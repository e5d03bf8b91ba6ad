"""Answer sets with honest confidences."""
